import type { VersionView } from '@roughmix/contracts/versions/version.view.js';
import { type ReactNode, useMemo } from 'react';
import { Button } from '../../shared/ui/button';
import { ProgressBar } from '../../shared/ui/progress-bar';
import { peaksSourceOf, useRetryPeaks } from '../../shared/wave/use-peaks';

interface WaveStatusProps {
  readonly version: VersionView;
  /** CSS pixels of the visible part of the track. */
  readonly width: number;
}

function messageOf({ state }: VersionView, onRetry: (() => void) | null): ReactNode {
  if (state === 'rejected') return <span>This version cannot be played, so it has no waveform.</span>;
  if (state === 'analysing') {
    return (
      <>
        <ProgressBar label="Drawing the waveform" />
        <span>Drawing the waveform. You can already listen.</span>
      </>
    );
  }
  return (
    onRetry && (
      <>
        <span role="alert">The waveform could not be loaded.</span>
        <Button size="s" onPress={onRetry}>
          Retry
        </Button>
      </>
    )
  );
}

/** In the place of a wave: why there is none. Seeking still works, because only the button takes the pointer. */
export function WaveStatus({ version, width }: WaveStatusProps) {
  const message = messageOf(version, useRetryPeaks(useMemo(() => peaksSourceOf(version), [version])));
  if (!message) return null;
  return (
    <div className="wave-status">
      <div style={{ width }}>
        <div className="meta">{message}</div>
      </div>
    </div>
  );
}
