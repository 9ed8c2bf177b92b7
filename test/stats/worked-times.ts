/** Ten trial means in hundredths of a millisecond, in the order of the rounds; one slow trial. */
export const timesA = [1482n, 1479n, 1485n, 1480n, 1483n, 1478n, 1484n, 1481n, 1694n, 1486n];

/** The same of a steady item. */
export const timesB = [1629n, 1633n, 1627n, 1631n, 1635n, 1626n, 1630n, 1634n, 1628n, 1632n];
