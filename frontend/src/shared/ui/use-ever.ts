import { useState } from 'react';

/** True from the first time on that the condition held: loads a surface when it is first wanted and lets it leave in its own time. */
export const useEver = (condition: boolean): boolean => {
  const [ever, setEver] = useState(condition);
  if (condition && !ever) setEver(true);
  return ever || condition;
};
