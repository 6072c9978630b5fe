import type { Config } from '../config/config.js';
import { publicUrlOf } from '../http/origin.js';

type SenderConfig = Pick<Config, 'MAIL_FROM' | 'PUBLIC_URL' | 'PORT'>;

/** The sender of e-mails, an address with or without a name. */
export const senderOf = (config: SenderConfig): string => config.MAIL_FROM ?? `Roughmix <noreply@${new URL(publicUrlOf(config)).hostname}>`;

/** The address of {@link senderOf}. */
export function senderAddressOf(config: SenderConfig): string {
  const sender = senderOf(config);
  return sender.slice(sender.indexOf('<') + 1).replace(/>$/, '');
}
