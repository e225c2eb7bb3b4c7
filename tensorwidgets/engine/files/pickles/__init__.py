"""What may a pickle contain, and how is it read and written without running code from it?"""
