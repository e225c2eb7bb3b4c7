"""Which elements meet when shapes differ, and what helps where they clash?"""
