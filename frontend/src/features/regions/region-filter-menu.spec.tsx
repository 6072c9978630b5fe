import { expect, test } from '@jest/globals';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { RemovalsProvider } from '../../shared/removals/removals-provider';
import { Toasts } from '../../shared/ui/toasts';
import '../../testing/surfaces';
import { RegionFilterMenu } from './region-filter-menu';
import { aPerson, aRegion, aVersion, aViewer } from './testing';
import { useRegionEditor } from './use-region-editor';

const versions = [aVersion('v1'), { ...aVersion('v2'), majorUpdate: 2 }];
const viewer = aViewer('ana');
const regions = [
  aRegion('r1', { tag: 'mix' }),
  aRegion('r2', { tag: 'style', user: aPerson('bob') }),
  aRegion('r3', { tag: 'mix', user: aPerson('bob') }),
  aRegion('r4', { tag: 'mix', versionId: 'v1' }),
];

function Page() {
  const editor = useRegionEditor({ projectId: 'p1', versions, version: versions[1] ?? null, viewer, regions });
  return <RegionFilterMenu editor={editor} versions={versions} />;
}

const open = async () => {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Toasts>
        <RemovalsProvider>
          <Page />
        </RemovalsProvider>
      </Toasts>
    </QueryClientProvider>,
  );
  await userEvent.click(screen.getByRole('button', { name: /^Filter regions/ }));
  await screen.findByRole('menu', { name: 'Filter regions' });
};
const options = () => within(screen.getByRole('menu', { name: 'Filter regions' })).getAllByRole('menuitemcheckbox');
const counts = () => options().map(({ textContent }) => textContent);
const choose = (text: string) => userEvent.click(options().find(({ textContent }) => (textContent ?? '').startsWith(text)) ?? document.body);

test('each option counts the regions that it would show with the other groups as they are', async () => {
  await open();
  expect(counts()).toEqual(['ana1', 'bob2', 'Performance0', 'Mix2', 'Style1', 'Arrangement0', 'General0', '1.01', '2.03']);
  await choose('Mix');
  expect(screen.getByText('Some regions').closest('button')).toHaveTextContent('Filter regions: Some regions 2');
  expect(counts()).toEqual(['ana1', 'bob1', 'Performance0', 'Mix2', 'Style1', 'Arrangement0', 'General0', '1.01', '2.02']);
  await choose('1.0');
  expect(counts().slice(0, 2)).toEqual(['ana1', 'bob0']);
  await userEvent.click(screen.getByRole('menuitem', { name: 'Show all' }));
  expect(await screen.findByRole('button', { name: /^Filter regions/ })).toHaveTextContent('All regions 3');
});
