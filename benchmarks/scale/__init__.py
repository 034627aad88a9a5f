"""What work costs at scale: curves of time, memory and bytes against sizes."""
