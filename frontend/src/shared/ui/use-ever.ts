import { useState } from 'react';

/** True once the condition has been true: mounts a surface when it is first needed and keeps it for its exit animation. */
export const useEver = (condition: boolean): boolean => {
  const [ever, setEver] = useState(condition);
  if (condition && !ever) setEver(true);
  return ever || condition;
};
