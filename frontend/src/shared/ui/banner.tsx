import type { ReactNode } from 'react';
import { Check, CircleAlert, type LucideIcon, RefreshCw, WifiOff } from 'lucide-react';
import './banner.css';
import { classNames } from './class-names';
import { Icon } from './icon';

type BannerTone = 'plain' | 'warn' | 'bad' | 'ok';

export interface BannerProps {
  /** Plain while reconnecting, warn offline, bad when something failed, ok after recovery. */
  readonly tone?: BannerTone;
  readonly icon?: LucideIcon;
  readonly children: ReactNode;
  /** A figure or a button at the end. */
  readonly end?: ReactNode;
}

const ICONS: Readonly<Record<BannerTone, LucideIcon>> = { plain: RefreshCw, warn: WifiOff, bad: CircleAlert, ok: Check };

/** A lasting state, shown in the page's flow. */
export function Banner({ tone = 'plain', icon, children, end }: BannerProps) {
  return (
    <div className={classNames('status-banner', tone !== 'plain' && tone)} role={tone === 'bad' ? 'alert' : 'status'}>
      <Icon of={icon ?? ICONS[tone]} />
      <span className="grow">{children}</span>
      {end}
    </div>
  );
}
