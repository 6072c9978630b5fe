// Sets the program's clock ahead by CLOCK_AHEAD_MS, so that tomorrow's timers are due today.
const { now } = Date;
const ahead = Number(process.env.CLOCK_AHEAD_MS ?? 0);
Date.now = () => now() + ahead;
