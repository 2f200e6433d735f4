module github.com/platen/platen/clients/go

go 1.24
