"""The course: lessons, how they are built, and the command line that hands them out."""
