/*
Package fsys is what the vault needs of an operating system's files beyond package os.

  - A [Root] is an open folder below which no link is followed, so that a file has one
    path; [Root.Resolve] finds it.
  - A [Disk] is the one way to change files below a Root. Each call can be made
    to fail, or the process to end before it, so that tests of crashes and of failing
    disks reach every one. A [File] is one that is being written; [DressAs] gives it
    the mode, owner and extended attributes of the file that it will replace. Names
    are exchanged, and given where nothing may be, in one step, or not at all:
    [ErrNoExchange].
  - A [Stat] is what tells two states of a file from each other; [ReadPlain] reads a
    file with its Stat in as few calls as there can be.
  - [HeldForWriting] tells whether another program has a file open for writing, and
    [Holders] names the programs that have it open.
  - [Elsewhere] and [Stubbed] know the two kinds of placeholders that cloud services
    leave for a file that they keep elsewhere.

What a system can't do or tell is a value ([ErrNoExchange], a zero inode, known or ok
false), never a failure to build. The package knows nothing of documents and operations, and doesn't
decide what is written: package vault does.
*/
package fsys
