"""How are layers of networks computed on arrays: convolutions, pools, recurrent layers, tables of vectors?"""
