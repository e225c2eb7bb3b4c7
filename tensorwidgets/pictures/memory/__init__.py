"""What does an array, or everything that is alive, look like in memory?"""
