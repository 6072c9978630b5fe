import { personCalled, projectCalled, selfCalled } from './people-and-projects';
import type { Playhead, ProjectContextValue } from '../shared/project/project-context';

/** The signed-in user in specs of panels. */
export const ana = selfCalled('Ana');
/** The selected version. */
export const [version] = projectCalled('P1', ana).versions;
/** The server's refusal for users without the right. */
export const away = { status: 403, json: { code: 'project.not-allowed', status: 403, detail: 'You may not do this in this project.' } };

/** A playhead at 17.4 s that records calls. */
export function aPlayhead(isPlaying = true) {
  const calls: string[] = [];
  const listeners = new Set<() => void>();
  const state = { playing: isPlaying, position: 17.4, versionId: version?._id ?? null };
  const change = (changes: Partial<typeof state>) => {
    Object.assign(state, changes);
    for (const listener of listeners) listener();
  };
  const setPlaying = (word: string, playing: boolean) => () => {
    calls.push(word);
    change({ playing });
  };
  const playhead: Playhead = {
    versionId: () => state.versionId,
    isPlaying: () => state.playing,
    position: () => state.position,
    resume: setPlaying('play', true),
    pause: setPlaying('pause', false),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  return { calls, playhead, seek: (position: number) => change({ position }), switchTo: (versionId: string) => change({ versionId }) };
}

let projects = 0;
/** Another project each time, because outboxes and drafts are stored in the tab. Ana may comment in it. */
export function openProject(changes: Partial<ProjectContextValue> = {}): ProjectContextValue {
  projects += 1;
  return {
    projectId: `p${projects}`,
    user: ana,
    viewer: { uid: 'ana', role: 'Viewer', access: 1, may: { comment: true, download: false, write: false, owner: false } },
    members: [ana, personCalled('Bob')],
    versions: version ? [version] : [],
    regions: new Map(),
    playhead: aPlayhead(false).playhead,
    goTo: () => undefined,
    ...changes,
  };
}
