"""What is studied: scenarios, how the rows of a replication are drawn, and which jobs are asked for."""
