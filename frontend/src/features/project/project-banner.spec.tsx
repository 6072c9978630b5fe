import { afterEach, expect, jest, test } from '@jest/globals';
import { render, screen, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { personCalled, projectCalled, selfCalled } from '../../testing/people-and-projects';
import { ProjectBanner } from './project-banner';
import { viewerOfView } from './viewer';

const ana = selfCalled('Ana');
const here = ['Bob', 'Cleo', 'Dan', 'Eve'].map((name) => personCalled(name));

afterEach(() => void jest.restoreAllMocks());

test.each([
  ['a wide screen', false, 4, null],
  ['a phone', true, 2, 'and 2 more'],
] as const)('of four people who are there, %s shows as many as fit', (_screen, isNarrow, faces, rest) => {
  const asMedia = window.matchMedia.bind(window);
  jest.spyOn(window, 'matchMedia').mockImplementation((query) => Object.assign(asMedia(query), { matches: isNarrow && query.includes('max-width') }));
  const project = projectCalled('Low Tide', ana);
  render(
    <MemoryRouter>
      <ProjectBanner
        project={project}
        viewer={viewerOfView(project.permissionLevel, ana.uid)}
        here={here}
        hrefOfList="/projects"
        onInvite={() => {}}
        onUsers={() => {}}
      />
    </MemoryRouter>,
  );
  const list = within(screen.getByRole('list', { name: 'Here now' }));
  expect(list.getAllByRole('img')).toHaveLength(faces);
  expect(list.queryByText(/more$/)?.textContent ?? null).toBe(rest);
});
