import type { VersionView } from '@roughmix/contracts/versions/version.view.js';
import { projectCalled, selfCalled } from './people-and-projects';

export const ana = selfCalled('Ana');
export const project = projectCalled('P1', ana);

/** Ana's project's version under another id and number, as a list. */
export const version = (_id: string, majorUpdate: number, minorUpdate: number, changes: Partial<VersionView> = {}): VersionView[] =>
  project.versions.map((one) => ({ ...one, _id, majorUpdate, minorUpdate, ...changes }));

/** 1.0, 2.0 and 2.1. */
export const versions = [...version('v1', 1, 0), ...version('v2', 2, 0), ...version('v3', 2, 1)];
