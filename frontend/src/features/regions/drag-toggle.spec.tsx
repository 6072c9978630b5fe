import { expect, test } from '@jest/globals';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { RemovalsProvider } from '../../shared/removals/removals-provider';
import { Toasts } from '../../shared/ui/toasts';
import '../../testing/surfaces';
import { DragToggle } from './drag-toggle';
import { RegionFilterMenu } from './region-filter-menu';
import { aRegion, aVersion, aViewer } from './testing';
import { useRegionEditor } from './use-region-editor';

const versions = [aVersion('v1'), aVersion('v2')];

function open({ comment = true } = {}) {
  function Page() {
    const viewer = aViewer('ana', comment);
    const editor = useRegionEditor({ projectId: 'p1', versions, version: versions[1] ?? null, viewer, regions: [aRegion('r1')] });
    return (
      <>
        <DragToggle editor={editor} />
        <RegionFilterMenu editor={editor} versions={versions} />
      </>
    );
  }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Toasts>
        <RemovalsProvider>
          <Page />
        </RemovalsProvider>
      </Toasts>
    </QueryClientProvider>,
  );
}

test('drag mode is switched on and off, on narrow screens too', async () => {
  open();
  const toggle = screen.getByRole('button', { name: 'Drag regions', pressed: false });
  expect(toggle).not.toHaveClass('only-l');
  await userEvent.click(toggle);
  expect(toggle).toHaveAttribute('aria-pressed', 'true');
  await userEvent.click(toggle);
  expect(toggle).toHaveAttribute('aria-pressed', 'false');
});

test('nobody without the right to draw has it', () => {
  open({ comment: false });
  expect(screen.queryByRole('button', { name: 'Drag regions' })).not.toBeInTheDocument();
});

test('the filter says that it shows the regions of the selected version by default', async () => {
  open();
  await userEvent.click(screen.getByRole('button', { name: /^Filter regions/ }));
  expect(await screen.findByRole('group', { name: 'Version (default: the selected one)' })).toBeInTheDocument();
});
