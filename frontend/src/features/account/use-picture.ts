import type { CropBody } from '@roughmix/contracts/users/user.api.js';
import { useEffect, useMemo, useState } from 'react';
import { pictureFileProblem, type PictureTypes } from './picture-file';

/** A picture that was chosen and is not saved yet. */
export interface ChosenPicture {
  readonly file: File;
  /** Shows the file while it is cropped. */
  readonly url: string;
  /** In pixels of the upright image; null while it is being decoded, which means the largest centred part. */
  readonly crop: CropBody | null;
}

/** Where the chosen picture is behind its crop, in pixels of the screen, and how large. */
export interface PictureView {
  readonly place: { readonly x: number; readonly y: number };
  readonly zoom: number;
}

interface PictureState {
  readonly chosen: ChosenPicture | null;
  readonly view: PictureView;
  /** The saved picture goes when the form is saved. */
  readonly isRemoved: boolean;
  readonly error: string | null;
}

export interface Picture extends PictureState {
  readonly choose: (files: Iterable<File>) => void;
  readonly crop: (crop: CropBody) => void;
  readonly move: (change: Partial<PictureView>) => void;
  /** The chosen file cannot be shown. */
  readonly fail: (message: string) => void;
  readonly remove: () => void;
  /** Back to the saved picture. */
  readonly reset: () => void;
}

const CENTRED: PictureView = { place: { x: 0, y: 0 }, zoom: 1 };
const AS_SAVED: PictureState = { chosen: null, view: CENTRED, isRemoved: false, error: null };
const ONE_AT_A_TIME = 'Choose one picture at a time';

/** The picture of a form: what was chosen, how it is cropped, or that it is removed. */
export function usePicture(allowed: PictureTypes): Picture {
  const [state, setState] = useState<PictureState>(AS_SAVED);
  const url = state.chosen?.url;
  useEffect(() => {
    if (url === undefined) return undefined;
    return () => URL.revokeObjectURL(url);
  }, [url]);
  const actions = useMemo(
    () => ({
      choose: (files: Iterable<File>) => {
        const [file, another] = files;
        if (file === undefined) return;
        const error = another === undefined ? pictureFileProblem(file, allowed) : ONE_AT_A_TIME;
        if (error !== null) setState((before) => ({ ...before, error }));
        else setState({ ...AS_SAVED, chosen: { file, url: URL.createObjectURL(file), crop: null } });
      },
      crop: (crop: CropBody) => setState((before) => (before.chosen === null ? before : { ...before, chosen: { ...before.chosen, crop } })),
      move: (change: Partial<PictureView>) => setState((before) => ({ ...before, view: { ...before.view, ...change } })),
      fail: (error: string) => setState({ ...AS_SAVED, error }),
      remove: () => setState({ ...AS_SAVED, isRemoved: true }),
      reset: () => setState(AS_SAVED),
    }),
    [allowed],
  );
  return { ...state, ...actions };
}
