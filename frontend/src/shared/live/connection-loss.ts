import type { LiveSocket } from './connection';
import type { LiveParts } from './live-parts';

/** How long a connection may be lost before the page shows it. */
const GRACE_MS = 2_000;

export interface ConnectionLoss {
  readonly markLost: () => void;
  readonly markConnected: () => void;
}

/** Reports a connection that stays lost, and a lost network, which the socket itself would notice only later. */
export function watchLoss(parts: LiveParts, socket: LiveSocket): ConnectionLoss {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const report = () => {
    timer = undefined;
    if (!navigator.onLine) parts.state.set('offline');
    else if (!socket.connected) parts.state.set('reconnecting');
  };
  return {
    markLost: () => {
      const isFirstReport = parts.state.get() === 'online' || parts.state.get() === 'connecting';
      timer ??= setTimeout(report, isFirstReport ? GRACE_MS : 0);
    },
    markConnected: () => {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
