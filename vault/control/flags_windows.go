package control

// Names of pipes and devices are no files of a folder here.
const nonblock, nofollow = 0, 0

// LockFlags are for whoever must open a lock file by itself: nothing needs any here.
const LockFlags = 0
