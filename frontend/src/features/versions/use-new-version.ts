import { versionNumber } from '@roughmix/contracts/shared/versions.js';
import { isolated } from '@roughmix/contracts/shared/visible-text.js';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { paths } from '../../app/paths';
import { useSession } from '../../shared/session/session-provider';
import type { UploadReport } from '../../shared/uploads/upload-jobs';
import { type AttendedUpload, useUpload } from '../../shared/uploads/use-upload';
import { newVersionUpload, type NewVersion, type VersionAdded } from './new-version-upload';
import { takeVersion } from './versions.queries';

export interface VersionUpload extends Omit<AttendedUpload<VersionAdded>, 'start'> {
  readonly start: (file: File, request: NewVersion) => void;
}

/** Uploads a version and reports progress. */
export function useNewVersion(onDone: (added: VersionAdded) => void): VersionUpload {
  const cache = useQueryClient();
  const uid = useSession().user?.uid ?? '';
  const [run] = useState(newVersionUpload);
  const linkTo = ({ version, updatedProject }: VersionAdded) => ({
    href: `${paths.project(updatedProject, uid)}?v=${version._id}`,
    label: `${isolated(updatedProject.projectName)} ${versionNumber(version)}`,
  });
  const { start, ...upload } = useUpload(linkTo, onDone);
  const add = (request: NewVersion, file: File) => async (report: UploadReport) => {
    const added = await run(file, request, report);
    takeVersion(cache, added.version);
    return added;
  };
  return { ...upload, start: (file, request) => start(file, add(request, file)) };
}
