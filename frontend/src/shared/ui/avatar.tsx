import { useState } from 'react';
import './avatar.css';
import { classNames } from './class-names';

export type AvatarSize = 20 | 24 | 28 | 32 | 40 | 64 | 112;

export interface AvatarProps {
  readonly name: string;
  readonly photo?: string | undefined;
  /** 20 in meta, 24 in lists, 28 to 32 in threads, 112 on profiles. */
  readonly size?: AvatarSize;
  /** Shows a green dot and adds 'here now' to the accessible name. */
  readonly isHere?: boolean;
  /** For a name that is already beside it, so that screen readers do not repeat it. */
  readonly isDecorative?: boolean;
}

function DefaultFace({ label }: { readonly label: string }) {
  return (
    <svg viewBox="0 0 32 32" role={label === '' ? undefined : 'img'} aria-label={label || undefined} aria-hidden={label === '' || undefined}>
      <circle cx="16" cy="12.5" r="5.5" fill="currentColor" />
      <path d="M5.5 27.5a10.5 9 0 0 1 21 0 16 16 0 0 1-21 0z" fill="currentColor" />
    </svg>
  );
}

/** A profile picture. A photo that is missing or broken falls back to the default one. */
export function Avatar({ name, photo, size = 24, isHere, isDecorative }: AvatarProps) {
  const [broken, setBroken] = useState<string>();
  const label = isDecorative ? '' : `${name}${isHere ? ', here now' : ''}`;
  const pixels = { width: size, height: size };
  return (
    <span className={classNames('av', size !== 24 && `av-${size}`, isHere && 'here')}>
      {photo && photo !== broken ? (
        <img src={photo} alt={label} {...pixels} loading="lazy" decoding="async" onError={() => setBroken(photo)} />
      ) : (
        <DefaultFace label={label} />
      )}
    </span>
  );
}
