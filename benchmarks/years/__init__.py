"""Ten simulated years of people whose lives change: is what is outdated, unknown or invented ever told?"""
