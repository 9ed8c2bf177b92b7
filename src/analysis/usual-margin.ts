/**
 * A ratio nearer to 1 than this is no difference, where nobody says otherwise. Where functions lie in memory
 * alone makes two builds of the same code differ by some tenths of a percent (that it changes times:
 * Mytkowicz et al. 2009, doi:10.1145/1508244.1508275).
 */
export const usualMargin = 0.005;
