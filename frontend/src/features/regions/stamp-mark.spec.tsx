import { expect, test } from '@jest/globals';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { useGrowingStamp } from '../../shared/posts/growing-stamp';
import type { SelectedRegion } from '../../shared/posts/new-post';
import { StampGrip } from '../../shared/posts/stamp-grip';
import { RemovalsProvider } from '../../shared/removals/removals-provider';
import { Toasts } from '../../shared/ui/toasts';
import { StampGrowthProvider } from './stamp-growth-provider';
import { StampMark } from './stamp-mark';
import { aVersion, aViewer } from './testing';
import { useRegionEditor } from './use-region-editor';

const scale = { duration: 100, pxPerSecond: 10, toX: (seconds: number) => seconds * 10 };
const [v1, v2] = [aVersion('v1'), aVersion('v2')];

interface BoxProps {
  readonly stampedVersion: string;
  readonly selected: SelectedRegion | null;
}

function Box({ stampedVersion, selected }: BoxProps) {
  const [stamp] = useState({ versionId: stampedVersion, at: 20 });
  const [isTagged, setTagged] = useState(false);
  const growing = useGrowingStamp(stamp, { tagged: isTagged ? selected : null, setTagged });
  return (
    <>
      {growing !== null && <StampGrip growing={growing} />}
      {isTagged && <p>tagged</p>}
    </>
  );
}

function Page({ stampedVersion, mayDraw }: { readonly stampedVersion: string; readonly mayDraw: boolean }) {
  const editor = useRegionEditor({ projectId: 'p1', versions: [v1, v2], version: v2, viewer: aViewer('ana', mayDraw), regions: [] });
  const { selected } = editor;
  return (
    <StampGrowthProvider editor={editor} version={v2}>
      <StampMark scale={scale} />
      <Box stampedVersion={stampedVersion} selected={selected && { ...selected, _id: selected.id, isHidden: false, save: () => Promise.resolve('saved') }} />
      <output>{selected === null ? 'nothing' : `${selected.start} to ${selected.end}`}</output>
    </StampGrowthProvider>
  );
}

function openPage({ stampedVersion = 'v2', mayDraw = true } = {}) {
  const page = render(
    <QueryClientProvider client={new QueryClient()}>
      <Toasts>
        <RemovalsProvider>
          <Page stampedVersion={stampedVersion} mayDraw={mayDraw} />
        </RemovalsProvider>
      </Toasts>
    </QueryClientProvider>,
  );
  return page.container.querySelector('.stamp-mark');
}

const region = () => screen.getByRole('status').textContent;
const isTagged = () => screen.queryByText('tagged') !== null;
const grip = () => screen.getByRole('slider', { name: 'Range from 0:20.0' });

/** Drags the mark by some pixels; returns the region under way and the one at the end. */
function drag(mark: Element | null, pixels: number, end: 'pointerUp' | 'pointerCancel' = 'pointerUp') {
  if (mark === null) throw new Error('no mark on the wave');
  fireEvent.pointerDown(mark, { clientX: 200, button: 0 });
  fireEvent.pointerMove(mark, { clientX: 200 + pixels });
  const underWay = region();
  fireEvent[end](mark, { clientX: 200 + pixels });
  return [underWay, region(), isTagged()];
}

test.each([
  ['right', 35, '20 to 23.5', '0:20.0 to 0:23.5'],
  ['left', -50, '15 to 20', '0:15.0 to 0:20.0'],
  ['right beyond the end', 5000, '20 to 100', '0:20.0 to 1:40.0'],
])('dragging the timestamp on the wave to the %s makes a region that the post is tagged with', (_, pixels, bounds, text) => {
  expect(drag(openPage(), pixels)).toEqual([bounds, bounds, true]);
  expect(grip()).toHaveAttribute('aria-valuetext', text);
});

test('a press that hardly moves, and a drag that is cancelled, make none', () => {
  const mark = openPage();
  expect(drag(mark, 3)).toEqual(['nothing', 'nothing', false]);
  expect(drag(mark, 60, 'pointerCancel')).toEqual(['20 to 26', 'nothing', false]);
});

test('the arrow keys grow the timestamp from its box, and back to a moment', async () => {
  openPage();
  await userEvent.tab();
  expect(grip()).toHaveFocus();
  expect(grip()).toHaveAttribute('aria-valuetext', 'no range');
  await userEvent.keyboard('{ArrowRight>3}{/ArrowRight}{Shift>}{ArrowRight}{/Shift}');
  expect([region(), isTagged(), grip().getAttribute('aria-valuetext')]).toEqual(['20 to 21.3', true, '0:20.0 to 0:21.3']);
  await userEvent.keyboard('{Shift>}{ArrowLeft}{/Shift}{ArrowLeft>3}{/ArrowLeft}');
  expect([region(), isTagged(), grip().getAttribute('aria-valuetext')]).toEqual(['nothing', false, 'no range']);
  await userEvent.keyboard('{ArrowLeft}');
  expect([region(), grip().getAttribute('aria-valuetext')]).toEqual(['19.9 to 20', '0:19.9 to 0:20.0']);
});

test('a press makes a range of four seconds, the next one returns to the moment', async () => {
  openPage();
  await userEvent.click(grip());
  expect([region(), isTagged()]).toEqual(['20 to 24', true]);
  await userEvent.click(grip());
  expect([region(), isTagged()]).toEqual(['nothing', false]);
});

test.each([
  ['of another version', { stampedVersion: 'v1' }],
  ['of a user who may not draw', { mayDraw: false }],
])('the timestamp %s cannot grow', (_, options) => {
  expect(openPage(options)).toBeNull();
  expect(screen.queryByRole('slider')).not.toBeInTheDocument();
});
