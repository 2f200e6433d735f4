module example.com/calls

go 1.24.2

require github.com/starwalkn/gotenberg-go-client/v8 v8.12.0
