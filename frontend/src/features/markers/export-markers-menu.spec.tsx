import { expect, test } from '@jest/globals';
import type { Viewer } from '@roughmix/contracts/projects/project.access.js';
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { projectCalled, selfCalled } from '../../testing/people-and-projects';
import '../../testing/surfaces';
import { ExportMarkersMenu } from './export-markers-menu';

const nothing = { comment: false, download: false, write: false, owner: false };
const viewer: Viewer = { uid: 'vic', role: 'Viewer', access: 0, may: nothing };
const version = projectCalled('P1', selfCalled('Ana')).versions[0] ?? null;

test('every member can save the markers of the version in the player in three formats, and print them from a new tab', async () => {
  render(<ExportMarkersMenu projectId="p1" version={version} viewer={viewer} />);
  await userEvent.click(screen.getByRole('button', { name: 'Export markers' }));
  const links = await screen.findAllByRole('menuitem');
  const of = (format: string) => `/api/projects/p1/markers?versionId=p1_v1&format=${format}`;
  expect(links.map((link) => ['href', 'download', 'target', 'rel'].map((name) => link.getAttribute(name)))).toEqual([
    [of('reaper'), '', null, null],
    [of('audacity'), '', null, null],
    [of('csv'), '', null, null],
    [of('print&inline=true'), null, '_blank', 'noopener'],
  ]);
});

test('a visitor does not see the menu, nor does anyone without a version', () => {
  const { container } = render(
    <>
      <ExportMarkersMenu projectId="p1" version={version} viewer={{ ...viewer, role: 'Visitor', access: null }} />
      <ExportMarkersMenu projectId="p1" version={null} viewer={viewer} />
    </>,
  );
  expect(container).toBeEmptyDOMElement();
});
