"""What may a picture know of the graph that autograd recorded?"""
