#!/usr/bin/env node
import { main } from '../dist/doors/cli/main.js'

await main(process.argv.slice(2))
