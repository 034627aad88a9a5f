def write_report(results, out):
    pass
