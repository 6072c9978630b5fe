// The program's clock is ahead by CLOCK_AHEAD_MS: timers of tomorrow are due today.
const { now } = Date;
const ahead = Number(process.env.CLOCK_AHEAD_MS ?? 0);
Date.now = () => now() + ahead;
