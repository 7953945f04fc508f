use storysim::{*,compile::compile,simulate::*};
fn main(){ for b in storyboard::BUILT_IN { let t=std::time::Instant::now();
 let board=match storyboard::parse(b.source()){Ok(b)=>b,Err((s,e))=>{println!("{}",diagnostic::render(&e,&s,diagnostic::Look{colour:false,width:100}));continue}};
 match compile(&board,&[]) { Err(e)=>println!("{}",diagnostic::render(&e,&board.source,diagnostic::Look{colour:false,width:100})),
 Ok(c)=>{ for w in &c.warnings {println!("W {}",w.message)} let p=&c.plan; let n:usize=p.tables.iter().map(|t|match &t.values {plan::Values::Plain(v)=>v.len(),_=>1000000000}).sum(); println!("{} {:?} casts {} of {} tables {} outcomes {} {:?}",b.name,t.elapsed(),p.casts.len(),p.odds.cast_count,p.tables.len(),n,p.odds);
 let s=Simulator::new(p,7); let mut st=Story::default(); let t=std::time::Instant::now(); let mut x=0; for i in 0..200000{ s.draw(i,&mut st); x+=st.trace.events[3].to.index();} println!("   {:.0}/s {x}",200000.0/t.elapsed().as_secs_f64());
 }}}}
