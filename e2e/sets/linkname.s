// Empty: its presence lets main.go declare functions that are linked by name.
