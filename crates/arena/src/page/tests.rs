use super::*;

fn page() -> Page {
    Page {
        title: "A < B & \"C\"".to_owned(),
        notes: vec!["10 games".to_owned()],
        tables: vec![PageTable {
            title: "Ratings".to_owned(),
            headings: vec!["player".to_owned(), "Elo".to_owned()],
            rows: vec![vec!["<b>".to_owned(), "+10".to_owned()]],
            folded: false,
        }],
        warnings: vec!["look <here>".to_owned()],
        charts: vec![
            Chart {
                title: "Loss".to_owned(),
                unit: "minutes".to_owned(),
                lines: vec![
                    ChartLine {
                        name: "policy".to_owned(),
                        points: vec![(0.0, 4.0), (1.0, 3.0), (2.0, 2.5)],
                    },
                    ChartLine {
                        name: "value".to_owned(),
                        points: vec![(1.0, 0.7)],
                    },
                ],
                shown: vec![0.0],
            },
            Chart::default(),
        ],
        curves: vec![
            Curve {
                title: "Elo over hours".to_owned(),
                unit: "hours".to_owned(),
                points: vec![
                    CurvePoint {
                        at: 0.0,
                        elo: -100.0,
                        error: 50.0,
                    },
                    CurvePoint {
                        at: 2.0,
                        elo: 300.0,
                        error: 20.0,
                    },
                ],
            },
            Curve::default(),
        ],
        games: vec![PageGame {
            black: "</script><script>alert(1)".to_owned(),
            white: "b".to_owned(),
            result: "Black, checkmate".to_owned(),
            start: rules::Position::startpos().to_string(),
            moves: "7g7f 3c3d 8h2b+".to_owned(),
            opening: 2,
            scores: vec![Some(120)],
            thoughts: vec![PageThought {
                black: Some(0.625),
                policy: vec![("8h2b+".to_owned(), 0.75), ("2g2f".to_owned(), 0.25)],
            }],
        }],
    }
}

#[test]
fn a_page_holds_everything_and_asks_for_nothing() {
    let html = page().html();
    assert!(html.contains("<h1>A &lt; B &amp; &quot;C&quot;</h1>"));
    assert!(html.contains("<tr><td>&lt;b&gt;</td><td>+10</td></tr>"));
    assert!(html.contains("prefers-color-scheme: dark"));
    assert_eq!(html.matches("<figure>").count(), 1);
    for outside in ["http://", "https://", "src=", "@import", "url("] {
        let allowed = html.replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
        assert!(!allowed.contains(outside), "{outside}");
    }
}

#[test]
fn charts_have_a_line_or_a_dot_for_each_name_and_its_last_number() {
    let html = page().html();
    assert_eq!(html.matches("<figure class=\"chart\">").count(), 1);
    assert!(html.contains("class=\"key line0\">policy <b>2.5</b>"));
    assert!(html.contains("class=\"line1 dot\""));
    assert!(html.contains("<p class=\"warning\">look &lt;here&gt;</p>"));
    assert!(html.contains(r#""thoughts":[{"black":0.625,"policy":[["8h2b+",0.75]"#));
}

#[test]
fn names_cannot_break_out_of_the_page() {
    let html = page().html();
    assert_eq!(html.matches("</script>").count(), 1);
    assert!(html.contains(r"<\/script><script>alert(1)"));
}

#[test]
fn a_page_without_games_has_no_script() {
    let html = Page {
        games: Vec::new(),
        ..page()
    }
    .html();
    assert!(!html.contains("<script>"));
}

#[test]
fn a_curve_has_its_points_band_and_round_marks() {
    let picture = svg(&page().curves[0]);
    assert_eq!(picture.matches("<circle").count(), 2);
    assert_eq!(picture.matches("class=\"band\"").count(), 1);
    for mark in [">-100<", ">0<", ">300<", ">0.5<", ">2<", ">hours<", ">Elo<"] {
        assert!(picture.contains(mark), "{mark}");
    }
    assert!(!picture.contains("NaN") && !picture.contains("inf"));
}

#[test]
fn a_curve_of_one_point_can_be_drawn() {
    let mut curve = page().curves[0].clone();
    curve.points.truncate(1);
    curve.points[0].error = 0.0;
    let picture = svg(&curve);
    assert!(
        !picture.contains("NaN") && !picture.contains("inf"),
        "{picture}"
    );
    curve.points.clear();
    assert!(!svg(&curve).contains("NaN"));
}
