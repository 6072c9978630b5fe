import { useState } from 'react';
import type { FormProblem } from './form-problem';
import type { ChosenPicture } from './use-picture';

type ChosenPictures = Partial<Record<'photo' | 'cover', ChosenPicture | null>>;

function isOfOtherPicture({ field, file }: FormProblem, chosen: ChosenPictures): boolean {
  return (field === 'photo' || field === 'cover') && chosen[field]?.file !== file;
}

/** The problem of a form and how to set it. One with a picture ends when another picture is chosen. */
export function useFormProblem(chosen: ChosenPictures): readonly [FormProblem | null, (problem: FormProblem | null) => void] {
  const [problem, setProblem] = useState<FormProblem | null>(null);
  return [problem === null || isOfOtherPicture(problem, chosen) ? null : problem, setProblem];
}
