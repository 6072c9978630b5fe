import { type ReactNode, useCallback, useMemo, useState } from 'react';
import type { Stamp } from '@roughmix/contracts/shared/marks.js';
import type { VersionView } from '@roughmix/contracts/versions/version.view.js';
import { StampGrowthContext, type WrittenStamp } from '../../shared/posts/growing-stamp';
import { between } from './region-maths';
import type { RegionEditor } from './use-region-editor';

interface StampGrowthProviderProps {
  readonly editor: RegionEditor;
  /** The version on the wave. */
  readonly version: VersionView | null;
  readonly children: ReactNode;
}

/** Knows the timestamps of posts that are being written, the newest last, and grows them into regions. A new one renders only what shows it. */
export function StampGrowthProvider({ editor: { setDraft, drawHandlers }, version, children }: StampGrowthProviderProps) {
  const [written, setWritten] = useState<readonly WrittenStamp[]>([]);
  const hide = useCallback((boxId: string) => setWritten((before) => before.filter((one) => one.boxId !== boxId)), []);
  const show = useCallback((stamp: WrittenStamp) => setWritten((before) => [...before, stamp]), []);
  const current = written.at(-1) ?? null;
  const versionId = drawHandlers === null ? null : (version?._id ?? null);
  const duration = version?.duration ?? 0;
  const grow = useCallback(({ at }: Stamp, to: number | null) => setDraft(to === null ? null : between(at, to, duration)), [setDraft, duration]);
  const growth = useMemo(() => ({ current, show, hide, versionId, duration, grow }), [current, show, hide, versionId, duration, grow]);
  return <StampGrowthContext value={growth}>{children}</StampGrowthContext>;
}
