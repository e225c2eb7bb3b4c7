"""What did each line of a cell do to memory, and what is left of it?"""
