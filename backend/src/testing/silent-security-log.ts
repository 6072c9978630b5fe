import { systemClock } from '../platform/clock.js';
import { SecurityLog } from '../platform/security/security-log.js';

/** A security log whose lines a spec does not look at. */
export const silentSecurityLog = (): SecurityLog => new SecurityLog({ config: { LOG_ADDRESSES: 'true' }, clock: systemClock, write: () => undefined });
