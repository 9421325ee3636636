#pragma once
#include "coenergy/mechanics/body_tree.hpp"

namespace coenergy::mechanics {

/// Moves the origins of links to where they cost least. The origin of a link that turns may lie anywhere on the axis of
/// its joint, that of a link that slides anywhere in the link: the motion stays the same, with other distances
///
///   turns about e:  O' = O + δ e,  d' = d + δ A e       slides:  O' = O + t,  d' = d + A t
///
/// and with δ e (or t) taken off all places given in the link. So one component of d vanishes, or all of d; a chain of
/// hinges in general position needs two components for each link instead of three. Links whose neighbours would gain
/// what they lose stay as they are, and so do links with an axis askew to the parent's. Joint forces and accelerations
/// do not change; reactions and frames of links do.
BodyTree move_origins(const BodyTree& tree);

}  // namespace coenergy::mechanics
