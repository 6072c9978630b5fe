const REMEMBERED = 200;
const sent = new Set<string>();

/** A new `Idempotency-Key`: a random UUID, also where the page is not served over TLS. */
export function newCommandId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = [...bytes].map((byte, at) => (at === 6 ? (byte & 0x0f) | 0x40 : at === 8 ? (byte & 0x3f) | 0x80 : byte).toString(16).padStart(2, '0')).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Keeps the last 200 commands of this tab, so that their live messages can be told from those of others. */
export function rememberCommand(commandId: string): void {
  sent.delete(commandId);
  sent.add(commandId);
  for (const oldest of sent) {
    if (sent.size <= REMEMBERED) return;
    sent.delete(oldest);
  }
}

/** True when this tab sent the command; null is nobody's. */
export const wasSentHere = (commandId: string | null): boolean => commandId !== null && sent.has(commandId);
