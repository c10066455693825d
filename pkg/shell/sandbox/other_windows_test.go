package sandbox

const testRoot = `C:\work`
