"""Reading and writing the frames of Jelly files, their restart points, and the index of these."""
