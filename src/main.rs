fn main(){ println!("{}", yose::othello::perft(yose::othello::Position::START, 11)); }
