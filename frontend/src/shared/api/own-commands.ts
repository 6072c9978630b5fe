const REMEMBERED = 200;
const sent = new Set<string>();

/** A new `Idempotency-Key`: a random UUID. Not `crypto.randomUUID`, which needs TLS. */
export function newCommandId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = [...bytes].map((byte, at) => (at === 6 ? (byte & 0x0f) | 0x40 : at === 8 ? (byte & 0x3f) | 0x80 : byte).toString(16).padStart(2, '0')).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Remembers the last 200 commands of this tab, to recognise the pushes that they cause. */
export function rememberCommand(commandId: string): void {
  sent.delete(commandId);
  sent.add(commandId);
  for (const oldest of sent) {
    if (sent.size <= REMEMBERED) return;
    sent.delete(oldest);
  }
}

/** True if this tab sent the command. */
export const wasSentHere = (commandId: string | null): boolean => commandId !== null && sent.has(commandId);
