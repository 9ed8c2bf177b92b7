/** An interval whose ends belong to it unless they are said to be open. */
export interface EndedInterval {
  lower: number;
  upper: number;
  isLowerOpen?: boolean;
  isUpperOpen?: boolean;
}

/** Whether all of an interval is greater than a limit; an open end may lie on it. */
export function liesAbove({ lower, isLowerOpen }: EndedInterval, limit: number): boolean {
  return lower > limit || (lower === limit && isLowerOpen === true);
}

/** Whether all of an interval is less than a limit; an open end may lie on it. */
export function liesBelow({ upper, isUpperOpen }: EndedInterval, limit: number): boolean {
  return upper < limit || (upper === limit && isUpperOpen === true);
}
