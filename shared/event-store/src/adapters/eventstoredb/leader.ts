/**
 * An option of every call. A follower would answer reads with a state of some moments ago. With this option it refuses
 * them, and the client goes to the leader.
 */
export const requiresLeader = true
