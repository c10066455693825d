module peers

go 1.26

require (
	github.com/adhocore/gronx v1.20.4
	github.com/netresearch/go-cron v0.9.1
	github.com/robfig/cron/v3 v3.0.1
)
