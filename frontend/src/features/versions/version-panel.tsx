import { isMember, mayDownload, type Viewer } from '@roughmix/contracts/projects/project.access.js';
import { versionNumber } from '@roughmix/contracts/shared/versions.js';
import { fullName } from '@roughmix/contracts/users/user.view.js';
import type { VersionView } from '@roughmix/contracts/versions/version.view.js';
import type { ReactNode } from 'react';
import { useNow } from '../../shared/hooks/use-now';
import { isAlwaysCopied } from '../../shared/format/codecs';
import { formatLoudness, formatTruePeak } from '../../shared/format/loudness';
import { formatClock } from '../../shared/format/time';
import { ProgressBar } from '../../shared/ui/progress-bar';
import { When } from '../../shared/ui/when';
import { LoudnessBar } from './loudness-bar';
import { RejectedVersion } from './rejected-version';
import { addedWhen, formatWords, playbackWords } from './version-words';
import './versions.css';

export interface VersionPanelProps {
  readonly version: VersionView;
  readonly versions: readonly VersionView[];
  readonly viewer: Viewer;
  readonly onReplace: (version: VersionView) => void;
  readonly onRemove: (version: VersionView) => void;
  /** Below the details. */
  readonly children?: ReactNode;
}

const SILENT = Number.NEGATIVE_INFINITY;

function VersionDetails({ version }: Pick<VersionPanelProps, 'version'>) {
  const { analysis } = version;
  const now = useNow();
  const rows: readonly (readonly [name: string, value: ReactNode, title?: string])[] = [
    ...(analysis === null
      ? []
      : ([
          ['Loudness', formatLoudness(analysis.loudness ?? SILENT)],
          ['True peak', formatTruePeak(analysis.truePeak ?? SILENT)],
          ['Format', formatWords(analysis)],
        ] as const)),
    ['Length', formatClock(version.duration)],
    ['File', version.filename, version.filename],
    ['Added by', fullName(version.uploader)],
    [
      'Added',
      <When key="when" at={version.dateAdded}>
        {addedWhen(version, now)}
      </When>,
    ],
  ];
  return (
    <dl className="facts">
      {rows.map(([name, value, title]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="cut" title={title}>
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Details and processing state of the selected version. */
export function VersionPanel({ version, versions, viewer, onReplace, onRemove, children }: VersionPanelProps) {
  return (
    <section className="panel" aria-labelledby="version-information">
      <div className="head">
        <h2 className="h-panel grow" id="version-information">
          Version {versionNumber(version)}
        </h2>
        <span className="meta">
          {versions.indexOf(version) + 1} of {versions.length}
        </span>
      </div>
      <div className="body stack">
        {version.state === 'rejected' && <RejectedVersion version={version} viewer={viewer} onReplace={onReplace} onRemove={onRemove} />}
        {version.state === 'analysing' && (
          <div className="stack analysing">
            <ProgressBar label="Reading the file" />
            <span className="meta" role="status">
              {isAlwaysCopied(version.playback.codec)
                ? 'Drawing the waveform, measuring loudness, and making a copy that every browser plays.'
                : 'Drawing the waveform and measuring loudness. You can already listen.'}
            </span>
          </div>
        )}
        <VersionDetails version={version} />
        <LoudnessBar version={version} versions={versions} />
        {version.state !== 'rejected' && (
          <p className="meta">
            {playbackWords(version)}
            {isMember(viewer) && !mayDownload(viewer) && ' The owner of this project has not allowed you to download it.'}
          </p>
        )}
        {children}
      </div>
    </section>
  );
}
